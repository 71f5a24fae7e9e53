use crate::sheets::{Column, Field, Sheet, Sheets, Type};

/// A table of cells with a delimiter between them.
pub(super) fn write(sheets: &Sheets, delimiter: u8) -> Option<String> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(Vec::new());
    for row in rows(sheets) {
        writer.write_record(row).ok()?;
    }
    String::from_utf8(writer.into_inner().ok()?).ok()
}

/// The header and the rows, with all columns that the sheets use, and always those of the papers.
pub(super) fn rows(sheets: &Sheets) -> Vec<Vec<String>> {
    let fields = || sheets.all().iter().flat_map(|sheet| &sheet.fields);
    let used = |column: &Column| match column {
        Column::Default => fields().any(|field| !field.default.is_empty()),
        Column::Reset => fields().any(|field| !field.reset.is_empty()),
        _ => true,
    };
    let columns: Vec<Column> = Column::ALL.into_iter().filter(used).collect();
    let header = columns.iter().map(|column| column.header().to_owned());
    let mut out: Vec<Vec<String>> = vec![header.collect()];
    let mut row = |cell: &dyn Fn(Column) -> String| {
        out.push(columns.iter().map(|&column| cell(column)).collect());
    };
    for sheet in sheets.all() {
        row(&|column| of_sheet(sheet, column));
        for field in &sheet.fields {
            // Options stand below their Enum; a lone one of another type in its own row.
            let below = *field.ty.item() == Type::Enum;
            row(&|column| of_field(field, column, !below));
            for option in field.options.iter().filter(|_| below) {
                row(&|column| option_only(option, column));
            }
        }
        for rows in &sheet.rows {
            row(&|column| match column {
                Column::Kind => "output".to_owned(),
                Column::Type => rows.clone(),
                _ => String::new(),
            });
        }
    }
    out
}

fn of_sheet(sheet: &Sheet, column: Column) -> String {
    match column {
        Column::SheetPredicate => sheet.predicate.clone(),
        Column::SheetName => sheet.name.clone(),
        Column::Type => sheet.kind.name().to_owned(),
        Column::Name => sheet.backend.clone(),
        Column::Description => sheet.description.clone(),
        Column::SheetAction => sheet.action.clone(),
        _ => String::new(),
    }
}

fn of_field(field: &Field, column: Column, with_option: bool) -> String {
    let flag = |set: bool| if set { "TRUE" } else { "" }.to_owned();
    match column {
        Column::Predicate => field.predicate.clone(),
        Column::Kind if field.primary => format!("{}; primary", field.kind.name()),
        Column::Kind => field.kind.name().to_owned(),
        Column::Type => field.ty.name(),
        Column::Name => field.name.clone(),
        Column::Options if with_option => field.options.first().cloned().unwrap_or_default(),
        Column::Description => field.description.clone(),
        Column::DontAsk => flag(field.dont_ask),
        Column::Required => flag(field.required),
        Column::Confirm => flag(field.confirm),
        Column::Action => field.action.clone(),
        Column::Validation => validation(field),
        Column::Default => field.default.clone(),
        Column::Reset => field.reset.join(", "),
        _ => String::new(),
    }
}

fn option_only(option: &str, column: Column) -> String {
    match column {
        Column::Options => option.to_owned(),
        _ => String::new(),
    }
}

/// An expression with the text for the user behind it.
pub(super) fn validation(field: &Field) -> String {
    match field.message.as_str() {
        "" => field.validation.clone(),
        message => format!("{} ## {message}", field.validation),
    }
}
