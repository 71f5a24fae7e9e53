//! Plays dialogues through sheets from a seed, and says what held and what was reached:
//! `cargo run --example simulate -- SHEETS [COUNT] [SEED]`. SHEETS is a file, or the cases of
//! the crate (`tests/data/cases.jsonl`), which have several. One
//! dialogue is shown turn by turn.

use std::process::ExitCode;

use worksheets::{Format, Settings, Sheets, read, simulate};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, String> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: simulate SHEETS [COUNT] [SEED]")?;
    let mut number = |or: u64| match args.next() {
        Some(text) => text.parse().map_err(|_| format!("{text} is no number")),
        None => Ok(or),
    };
    let (count, seed) = (number(1_000)?, number(1)?);
    let mut fine = true;
    for (name, sheets) in books(&path)? {
        if count == 1 {
            print!(
                "{name}:\n{}",
                simulate::dialogue(&sheets, Settings::default(), seed).text()
            );
        }
        let simulated = simulate::run(&sheets, Settings::default(), seed, count);
        fine &= simulated.broken.is_empty();
        println!("{name}: {}", simulated.text());
    }
    Ok(fine)
}

fn books(path: &str) -> Result<Vec<(String, Sheets)>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    if !path.ends_with(".jsonl") {
        let format = Format::of(path).ok_or(format!("{path} is no form of sheets"))?;
        return Ok(vec![(path.to_owned(), sheets(&bytes, format)?)]);
    }
    let text = String::from_utf8_lossy(&bytes);
    let header = text.lines().next().unwrap_or_default();
    let header: serde_json::Value =
        serde_json::from_str(header).map_err(|error| error.to_string())?;
    let books = header["sheets"]
        .as_object()
        .ok_or("the header has no sheets")?;
    let of =
        |csv: &serde_json::Value| sheets(csv.as_str().unwrap_or_default().as_bytes(), Format::Csv);
    books
        .iter()
        .map(|(name, csv)| Ok((name.clone(), of(csv)?)))
        .collect()
}

fn sheets(bytes: &[u8], format: Format) -> Result<Sheets, String> {
    read(bytes, format).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        lines.join("\n")
    })
}
