//! The assistant without a model.

use super::assistant::{Assistant, Reply};
use crate::error::{Error, Result};
use async_trait::async_trait;
use typed_claims::simulate::{Desk, Utterance};

/// Says by templates what it looked up. It needs to know what the user means, which only a user
/// without a model can tell it.
pub(super) struct Template<'a>(pub Desk<'a>);

#[async_trait]
impl Assistant for Template<'_> {
    async fn answer(&mut self, said: &Utterance) -> Result<Reply> {
        let answer = self.0.answer(&said.acts);
        let answer = answer.map_err(Error::bug("a template of the simulator is broken"))?;
        Ok(Reply::said(answer))
    }
}
