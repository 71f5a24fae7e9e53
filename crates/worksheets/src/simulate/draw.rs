use serde_json::{Map, Value as Json, json};

use super::Tables;
use super::random::Random;
use crate::predicate::Predicate;
use crate::sheets::{Field, FieldKind, Sheet, Sheets, Type};

/// Values of fields, drawn from their types, their options, and the literals that the
/// predicates of the sheets compare with.
#[derive(Debug)]
pub(super) struct Draw<'s> {
    pub(super) sheets: &'s Sheets,
    texts: Vec<String>,
    numbers: Vec<i64>,
    tables: Option<&'s Tables>,
}

impl<'s> Draw<'s> {
    pub(super) fn new(sheets: &'s Sheets) -> Self {
        let cells = sheets.all().iter().flat_map(|sheet| {
            let fields = sheet.fields.iter();
            let cells = fields.flat_map(|field| [&field.predicate, &field.validation]);
            cells.chain([&sheet.predicate])
        });
        let (mut texts, mut numbers) = (Vec::new(), vec![1, 7]);
        for literal in cells
            .filter_map(|cell| Predicate::parse(cell).ok())
            .flat_map(|predicate| predicate.literals())
        {
            match literal {
                Json::String(text) if text != "NA" && !texts.contains(&text) => texts.push(text),
                Json::Number(number) => numbers.extend(number.as_i64()),
                _ => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Self {
            sheets,
            texts,
            numbers,
            tables: None,
        }
    }

    /// With the rows that the tables have, and no texts that only predicates speak of.
    pub(super) fn about(sheets: &'s Sheets, tables: &'s Tables) -> Self {
        let mut draw = Self::new(sheets);
        draw.texts.retain(|text| is_part(text));
        draw.tables = Some(tables);
        draw
    }

    /// The rows that a table has; none where they are drawn.
    pub(super) fn rows(&self, table: &str) -> &'s [Map<String, Json>] {
        let rows = self.tables.and_then(|tables| tables.get(table));
        rows.map_or(&[], Vec::as_slice)
    }

    /// A plain value that fits the field's type; none of records and rows.
    pub(super) fn value(&self, random: &mut Random, field: &Field) -> Option<Json> {
        self.of_type(random, field, &field.ty)
    }

    fn of_type(&self, random: &mut Random, field: &Field, ty: &Type) -> Option<Json> {
        Some(match ty {
            Type::Str | Type::Text => self.text(random, &field.name).into(),
            Type::Int => self.number(random).into(),
            Type::Float if random.chance(50) => json!(0.5),
            Type::Float => self.number(random).into(),
            Type::Bool | Type::Confirm => random.chance(50).into(),
            Type::Date => {
                let (month, day) = (1 + random.below(12), 1 + random.below(28));
                format!("2026-{month:02}-{day:02}").into()
            }
            Type::Time => format!("{:02}:{:02}", random.below(24), random.below(60)).into(),
            Type::Enum => random.pick(&field.options)?.as_str().into(),
            Type::Named(_) => return None,
            Type::List(item) => {
                let count = 1 + random.below(3);
                let items = (0..count).map(|_| self.of_type(random, field, item));
                items.collect::<Option<Vec<Json>>>()?.into()
            }
        })
    }

    pub(super) fn text(&self, random: &mut Random, about: &str) -> String {
        let plain = format!("{} {}", about.replace('_', " "), random.below(90) + 10);
        match random
            .pick(&self.texts)
            .filter(|_| random.clone().chance(40))
        {
            // Parts that a validation looks for stand within a text, names by themselves.
            Some(literal) if is_part(literal) => format!("{plain}{literal}example"),
            Some(literal) if random.chance(75) => literal.clone(),
            _ => plain,
        }
    }

    fn number(&self, random: &mut Random) -> i64 {
        let near = random.pick(&self.numbers).copied().unwrap_or(1);
        near.saturating_add(i64::try_from(random.below(3)).unwrap_or(0) - 1)
    }

    /// A value that does not fit, or that a validation may refuse.
    pub(super) fn wrong(&self, random: &mut Random, field: &Field) -> Json {
        match field.ty.item() {
            Type::Int | Type::Float if random.chance(50) => 87_236.into(),
            Type::Str | Type::Text if field.validation.is_empty() => json!("  "),
            Type::Confirm => json!("perhaps"),
            _ => json!("something else"),
        }
    }

    pub(super) fn row(&self, random: &mut Random, table: &Sheet) -> Map<String, Json> {
        let columns = table.fields.iter().filter(|field| !field.name.is_empty());
        let mut row: Map<String, Json> = columns
            .filter_map(|field| Some((field.name.clone(), self.value(random, field)?)))
            .collect();
        if row.is_empty() {
            row.insert("answer".to_owned(), self.text(random, "answer").into());
        }
        row
    }

    /// What a backend call gives.
    pub(super) fn result(&self, random: &mut Random, sheet: Option<&Sheet>) -> Json {
        let mut out = Map::new();
        for field in sheet.into_iter().flat_map(|sheet| &sheet.fields) {
            if field.kind == FieldKind::Output
                && let Some(value) = self.value(random, field)
            {
                out.insert(field.name.clone(), value);
            }
        }
        out.insert("id".to_owned(), random.below(1_000).into());
        Json::Object(out)
    }
}

/// Whether a validation looks for it within texts.
fn is_part(text: &str) -> bool {
    text.chars().count() == 1
}
