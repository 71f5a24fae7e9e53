//! The environments of programs: a [`Domain`] is a kind of environment, and a [`World`] is one live
//! state of it.

mod adapter;
mod api;
mod code;
mod contents;
mod definition;
mod effects;
mod exact_json;
mod facts;
mod layer;
mod lenient_json;
mod offered;
mod onward;
mod opened;
mod operation;
mod place;
mod planning;
mod refusal;
mod shared_link;
mod signature;
mod slate;
mod spent;
mod state_json;
mod state_value;
mod teaching;
mod value;
mod witness;
mod words;
mod worlds;

pub use adapter::{Adapter, AdapterContent};
pub use api::{
    AtOnce, Batch, DocumentSelection, DomainApi, Handle, ObjectKind, ObjectMember, Page, Pages,
};
pub use code::{
    Attribute, CallSite, Calls, Keyword, Unresolved, call_sites, is_keyword, is_shallow, lines,
    with_room,
};
pub use contents::{Change, ChangeKind, ContentEntry, Contents};
pub use definition::Domain;
pub use effects::{Effects, Grant, Ownership, PathForm, Segment, Touches};
pub use exact_json::exact_json;
pub use facts::{Facts, Row};
pub use layer::Layer;
pub use lenient_json::{Half, NUMBER, lenient_json, strict_json};
pub use offered::Offered;
pub use onward::Onward;
pub use opened::{Opened, WorldKind};
pub use operation::Operation;
pub use place::{Access, Beside, Counts, Mark, Place, PlaceRole, Target, Touch};
pub use planning::{
    First, Ids, Image, Inside, Planning, Seen, Touched, Wanted, WayBack, Write, WrittenPart,
};
pub use refusal::{Answer, Refusal};
pub use shared_link::{Links, SharedLink};
pub use signature::{Signature, Signer};
pub use slate::{Slate, separate};
pub use spent::{Costly, Meter, Spent};
pub use state_value::{PathStep, StateChange, StateValue};
pub use teaching::Teaching;
pub use value::{FileBody, Map, Name, OpenReader, Value};
pub use witness::{CallEnd, Noted, Witness};
pub use words::{Words, counted, plural, tallied};
pub use worlds::{
    FoundWorld, Moved, NamedWorld, Notes, Opening, OptionValues, Overlaid, Reading, ServerCheck,
    Transfers, WorldOption, Worlds,
};

use crate::error::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use std::path::PathBuf;
use std::sync::Arc;

/// One live state of a domain.
#[async_trait]
pub trait World: Send + Sync {
    /// Carries out one operation. The outer error is ours (connection lost);
    /// the inner one is the environment's answer to the program.
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer>;

    /// Like [`call`](Self::call), but a large content may be a [`Value::File`] in the answer, for
    /// callers that pass contents on piece by piece. Such callers send one in the same way if the
    /// world has a [`spool`](Self::spool).
    async fn call_streamed(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.call(operation, params).await
    }

    /// A folder in which callers may keep contents that are too large for memory until they are sent, with
    /// the most bytes that one call may send. `None` from worlds that take contents in memory.
    ///
    /// # Errors
    /// The world cannot be written.
    fn spool(&self) -> Result<Option<(PathBuf, u64)>> {
        Ok(None)
    }

    /// Like [`call`](Self::call), but without the retries that a world makes by itself: for
    /// callers that first check whether an unanswered call was carried out.
    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.call(operation, params).await
    }

    /// Makes a write of an earlier session again, in a world that lost what the session made.
    /// Things outside of the world are left alone, such as files that the session downloaded.
    async fn repeat(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.call_once(operation, params).await
    }

    /// The answer to a read where this world knows it without asking a server for it alone:
    /// a listing may have told it. It has what plans need, and may lack the rest. `None` where
    /// the call has to be made.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    async fn known(&self, _operation: &str, _params: &Value) -> Result<Option<Answer>> {
        Ok(None)
    }

    /// A program has made this call, and was answered so. A world that is far away may read what
    /// the program is likely to read next; `may` says of a call whether the program could make it.
    fn follow(
        &self,
        _operation: &str,
        _params: &Value,
        _answer: &Value,
        _may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
    }

    /// Like [`call`](Self::call), but also says what the call changed: each place with its
    /// marks from before and after. `None` from worlds that do not know it; then the places
    /// that the call names ([`Domain::touches`]) are looked at before and after it.
    async fn call_observed(
        &self,
        operation: &str,
        params: &Value,
    ) -> Result<(Answer, Option<Vec<Touched>>)> {
        Ok((self.call(operation, params).await?, None))
    }

    /// A copy that changes independently. O(1) for embedded stores. `None` if the world
    /// cannot be copied (a remote server).
    fn fork(&self) -> Option<Arc<dyn World>>;

    /// Appends the canonical state to the stream. Reading the state does not change it.
    async fn state(&self, signer: &mut Signer) -> Result<()>;

    /// The state as one JSON value, from worlds whose state is that. It costs nothing.
    fn state_value(&self) -> Option<StateValue> {
        None
    }

    /// What an agent keeps beside the state. `None` from worlds of domains without a
    /// [`conduct`](Domain::conduct).
    fn slate(&self) -> Option<&Slate> {
        None
    }

    /// The use of the server behind this world so far. `None` from worlds on which calls cost
    /// nothing.
    fn spent(&self) -> Option<Spent> {
        None
    }

    /// The count of what transfers of files move, so that a call that takes long can be told
    /// from one that hangs. `None` from worlds that transfer none.
    fn moved(&self) -> Option<Moved> {
        None
    }

    /// Whether calls wait for a server or a disk. The time that they take is the world's then, and
    /// not that of the program which makes them.
    fn waits(&self) -> bool {
        self.spent().is_some() || self.moved().is_some()
    }

    /// The time in this world, if it has a clock of its own: after everything that is in it.
    /// `None` from worlds that have the machine's time.
    fn own_time(&self) -> Option<Timestamp> {
        None
    }

    /// The time that a program has at least when its last call is answered.
    fn reached_time(&self) -> Option<Timestamp> {
        self.own_time()
    }

    /// Where this world has the machine's time, and keeps its state in this process, its time
    /// stands still at `now` from here on. Then the writes of a program have the time that the
    /// program has, whenever they are made.
    fn hold_time(&self, _now: Timestamp) {}

    /// The refusal of a call that the world would not make in any case, without making it: its
    /// user is not asked about such a call. `None` from worlds that find out when they make it.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    async fn objection(&self, _operation: &str, _params: &Value) -> Result<Option<Refusal>> {
        Ok(None)
    }

    /// How a call is shown to people before it is made: an HTTP request, for example. Empty
    /// where its operation and its place say enough.
    fn call_lines(&self, _operation: &str, _params: &Value) -> Vec<String> {
        Vec::new()
    }

    /// One line for people: which world this is, and where.
    fn describe(&self) -> String;
}

/// A text that a domain is made of: part of the program, or made while it runs.
pub type Text = std::borrow::Cow<'static, str>;

/// The signature of a world after programs with these outcomes ran in it.
pub async fn signature(
    world: &dyn World,
    outcomes: impl IntoIterator<Item = &crate::dialogue::Outcome>,
) -> Result<Signature> {
    let mut signer = Signer::new();
    world.state(&mut signer).await?;
    outcomes
        .into_iter()
        .for_each(|outcome| signer.outcome(outcome));
    Ok(signer.signature())
}
