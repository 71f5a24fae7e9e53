//! The names of the cues and word lists that a lexicon's file may have.

/// Declares an enumeration whose variants have names in the files.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $what:literal, $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum $type { $($(#[$variant_doc])* $variant,)* }

        impl $type {
            /// That of a name in a file.
            pub fn of(name: &str) -> Result<Self, String> {
                match name {
                    $($name => Ok($type::$variant),)*
                    _ => Err(format!("`{name}` is no {}: {}", $what, [$($name),*].join(", "))),
                }
            }
        }
    };
}

named! {
    /// A group of patterns. `method.md` and the README name the rules that use them.
    Cue, "group of cues",
    /// Names of the service itself.
    Service = "service",
    /// What stands before a booking reference.
    Reference = "reference",
    /// Times, durations, party sizes, days: their numbers count nothing.
    Mask = "mask",
    /// A clause begins here.
    Cut = "cut",
    /// A clause that begins so is a question.
    Question = "question",
    Offer = "offer",
    Hypothesis = "hypothesis",
    /// A clause that begins so is a condition.
    Condition = "condition",
    Echo = "echo",
    /// Denies that there are rows.
    None = "none",
    /// Denies without a noun: *nothing*, *none*.
    Nothing = "nothing",
    /// What a denial is not about: *preference*.
    Beside = "beside",
    /// Denies knowledge of the name that follows.
    Unknown = "unknown",
    /// Denies knowledge of the name before.
    Missing = "missing",
    Exists = "exists",
    /// What follows a bare number that counts.
    Counted = "counted",
    AtLeast = "at_least",
    Several = "several",
    Many = "many",
    Only = "only",
    /// What follows *the only* and counts nothing: *are the only*.
    NotOnly = "not_only",
    /// *It is called*: the name has what was said before.
    Identify = "identify",
    /// *called, named, is* before a name.
    Naming = "naming",
    /// *called* before a new name of one word.
    Called = "called",
    /// *which serves*: about the last name.
    Which = "which",
    /// *neither*: what is said of the names behind it is denied of each.
    Neither = "neither",
    /// What joins such names: *nor*.
    Nor = "nor",
    Both = "both",
    All = "all",
    Others = "others",
    /// *other, more, weitere*: counts leave out what was named.
    More = "more",
    /// *anywhere, in the whole city*.
    Anywhere = "anywhere",
    /// What makes a value of a place none: *close to*.
    Near = "near",
    /// What joins two values to a span: *to*.
    Span = "span",
    /// *more, less, most*: no value follows.
    Degree = "degree",
    Retract = "retract",
    Booked = "booked",
    Refused = "refused",
    /// What a refusal is about: tables, seats, times.
    Seats = "seats",
    /// *I don't care, any*.
    Careless = "careless",
    First = "first",
    Second = "second",
    Third = "third",
    Last = "last",
    /// *the … one*.
    Pick = "pick",
    Pronoun = "pronoun",
    /// Presents what follows as everything.
    Whole = "whole",
    /// Presents what is named as examples.
    Part = "part",
    Today = "today",
    Yesterday = "yesterday",
    Tomorrow = "tomorrow",
    /// *n days ago*.
    Ago = "ago",
    Month = "month",
    /// *how many*.
    Amount = "amount",
    /// What was done with a name: it is there now.
    Made = "made",
    /// It is there no more.
    Gone = "gone",
    Moved = "moved",
    Copied = "copied",
    /// *created*, whoever did it to whatever.
    MadeWord = "made_word",
    GoneWord = "gone_word",
    MovedWord = "moved_word",
    CopiedWord = "copied_word",
    /// *updated, cancelled*: other changes.
    ChangedWord = "changed_word",
    /// *shared*: others can see it now.
    SharedWord = "shared_word",
    /// *gone now*: beside *is*, what was there is there no more.
    Vanished = "vanished",
    /// *deletion*, which says with *complete* that something was deleted.
    GoneNoun = "gone_noun",
    Completed = "completed",
    /// *all, everything*: a part is less.
    Every = "every",
    /// *done*: what was asked for.
    Finished = "finished",
    /// *I have*, with nothing but adverbs before what was done.
    DoerNear = "doer_near",
    /// *I have*, where the verb comes last.
    Doer = "doer",
    /// *has been*, with nothing but adverbs before what was done.
    DoneNear = "done_near",
    /// *has been*, where the verb comes last.
    DoneTo = "done_to",
    /// *have*, *were* behind what was done, at the end of a clause with *that* and *that I*.
    HaveLast = "have_last",
    WereLast = "were_last",
    That = "that",
    ThatDoer = "that_doer",
    /// What a list is of: *what I did*.
    Did = "did",
    /// *is*, which says of what is gone alone that something was done.
    StateNear = "state_near",
    StateTo = "state_to",
    /// *nothing, failed*: beside it nothing was done.
    Undone = "undone",
    /// *which*: what follows says which one is meant.
    Relative = "relative",
    /// *I confirm that*: what follows is said to be so.
    Assured = "assured",
    /// *it seems, once, you said*: what follows is not said to be so.
    Reserved = "reserved",
    /// *as I said, earlier*: what was done then.
    Reported = "reported",
    /// What a reply makes for itself: *a plan, a mistake*.
    Apart = "apart",
    /// *does not exist*.
    Absent = "absent",
    /// *is not empty*.
    Filled = "filled",
    /// Presents items that are there: *here are*.
    Here = "here",
    /// Presents items that are words of a text: *the lines of*.
    Quoting = "quoting",
    /// *from*: where something was.
    From = "from",
    /// *in, to*: where something is.
    Into = "into",
    /// *as*: what something is called now.
    As = "as",
    /// *except*.
    Except = "except",
    /// *would, can*: what is not so yet.
    Modal = "modal",
    /// *with the prefix*.
    Beginning = "beginning",
    /// *may be, possibly*: what follows is not said to be so.
    Hedge = "hedge",
    /// *ask about*: what follows is not said to be there.
    Ask = "ask",
    /// *dishes such as*: what follows is eaten, and no value of a row.
    Dishes = "dishes",
    /// *information about*: a denial of it denies what follows.
    About = "about",
    /// *serves, is*: what stands before it is who does so.
    Predicate = "predicate",
    /// *your budget of*: the amount that follows is the user's.
    Budget = "budget",
    /// *for, under*: the amount that follows may be the user's.
    Within = "within",
}

named! {
    List, "list of words",
    Function = "function",
    Negation = "negation",
    Conjunction = "conjunction",
    Or = "or",
    /// What stands before a number that counts nothing: *these*.
    Definite = "definite",
    /// What ends the words between a number and its noun.
    Barrier = "barrier",
    /// Words with which a clause may begin before its question word.
    Opener = "opener",
    Abbreviation = "abbreviation",
    /// What joins the words of a name.
    Joint = "joint",
    /// Words with a capital that are no names.
    Stop = "stop",
    /// The beginnings of such words.
    StopStem = "stop_stem",
    /// What is left of a name when an alias is one word.
    Generic = "generic",
    /// Words of names that are ordinary.
    Ordinary = "ordinary",
    Street = "street",
    /// Words of addresses that say nothing.
    Noise = "noise",
    /// What stands before a name that a phone belongs to: *of, for*.
    Belongs = "belongs",
    /// *it*, *they*: who does not have something is no denial.
    Third = "third",
    /// Words before *food* that are no wish.
    Vague = "vague",
    /// *food, cuisine*: an unknown word before them is a wish.
    Kind = "kind",
    /// *ist, sind*: a denial after them is a negation.
    Copula = "copula",
    /// One written as a word.
    One = "one",
    /// *restaurant* where it stands for itself at the start of a name.
    Head = "head",
    Article = "article",
    /// Words that leave no row out of what is said: of exact names only such clauses are judged.
    Plain = "plain",
    /// *empty*: a row that holds none.
    Empty = "empty",
    /// *dishes, meals*: what is counted before them is no row.
    Dish = "dish",
    /// *a wide range of*: words that say nothing beside a value and its dishes.
    Range = "range",
    /// *I, you*: whose *may* is no guess about a row.
    Person = "person",
    /// *at*: what stands before it is at a name, and not the name.
    Beside = "at",
    /// Words that may stand between *has been* and what was done.
    Adverb = "adverb",
}
