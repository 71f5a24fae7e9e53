/// The columns of a table of sheets, in the order of the original's files (section 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// When the sheet may be used.
    SheetPredicate,
    /// The sheet's name.
    SheetName,
    /// When the field is active.
    Predicate,
    /// The kind of a sheet or a field.
    Kind,
    /// The type of a field, or the kind of a sheet.
    Type,
    /// The field's name, or the sheet's backend call.
    Name,
    /// Options of an `Enum` field.
    Options,
    /// What the field means, or what the sheet is for.
    Description,
    /// Recorded when offered, never asked for.
    DontAsk,
    /// The record cannot complete without the field.
    Required,
    /// The value counts only when the user has confirmed it.
    Confirm,
    /// Python, run once for each new value.
    Action,
    /// Python, run once when the record is complete.
    SheetAction,
    /// An expression over `value` and `self`, and a text for the user.
    Validation,
    /// The value that a new record starts with.
    Default,
    /// Earlier fields whose change makes this field's value stale.
    Reset,
}

impl Column {
    /// All columns, in the order in which they are read without headers and written.
    pub const ALL: [Self; 16] = [
        Self::SheetPredicate,
        Self::SheetName,
        Self::Predicate,
        Self::Kind,
        Self::Type,
        Self::Name,
        Self::Options,
        Self::Description,
        Self::DontAsk,
        Self::Required,
        Self::Confirm,
        Self::Action,
        Self::SheetAction,
        Self::Validation,
        Self::Default,
        Self::Reset,
    ];

    /// The header that is written.
    pub fn header(self) -> &'static str {
        match self {
            Self::SheetPredicate => "WS Predicate",
            Self::SheetName => "WS Name",
            Self::Predicate => "Predicate",
            Self::Kind => "Kind",
            Self::Type => "Type",
            Self::Name => "Name",
            Self::Options => "Enum Values",
            Self::Description => "Description",
            Self::DontAsk => "Don't Ask",
            Self::Required => "Required",
            Self::Confirm => "Confirmation",
            Self::Action => "Actions",
            Self::SheetAction => "WS Actions",
            Self::Validation => "Validation",
            Self::Default => "Default",
            Self::Reset => "Reset",
        }
    }

    /// The key of the forms that are no tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::SheetPredicate | Self::Predicate => "predicate",
            Self::SheetName | Self::Name => "name",
            Self::Kind => "kind",
            Self::Type => "type",
            Self::Options => "options",
            Self::Description => "description",
            Self::DontAsk => "dont_ask",
            Self::Required => "required",
            Self::Confirm => "confirm",
            Self::Action | Self::SheetAction => "action",
            Self::Validation => "validation",
            Self::Default => "default",
            Self::Reset => "reset",
        }
    }

    /// The column with a header, in any case, also as the original's files write it.
    pub fn of(header: &str) -> Option<Self> {
        let header = header.trim().replace('\u{2019}', "'").to_lowercase();
        let header = match header.as_str() {
            "form predicate" => "ws predicate",
            "form name" => "ws name",
            "form actions" => "ws actions",
            "confirm" => "confirmation",
            other => other,
        };
        Self::ALL
            .into_iter()
            .find(|column| column.header().to_lowercase() == header)
    }
}
