use std::collections::HashMap;

/// The token F1 of two texts: words in any case, without marks, each as often as it occurs.
/// Two empty texts are equal.
///
/// ```
/// use worksheets::evaluate::token_f1;
///
/// assert_eq!(token_f1("The button is grey.", "the grey button"), 6.0 / 7.0);
/// assert_eq!(token_f1("", ""), 1.0);
/// assert_eq!(token_f1("a", ""), 0.0);
/// ```
#[allow(clippy::cast_precision_loss, reason = "texts are short")]
pub fn token_f1(gold: &str, predicted: &str) -> f64 {
    let (gold, predicted) = (words(gold), words(predicted));
    let count = |words: &HashMap<String, usize>| words.values().sum::<usize>();
    let all = count(&gold) + count(&predicted);
    if all == 0 {
        return 1.0;
    }
    let common = gold.iter().map(|(word, often)| {
        let ours = predicted.get(word).copied().unwrap_or(0);
        ours.min(*often)
    });
    2.0 * common.sum::<usize>() as f64 / all as f64
}

fn words(text: &str) -> HashMap<String, usize> {
    let mut out = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() {
            *out.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    out
}
