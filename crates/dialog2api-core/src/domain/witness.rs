//! A layer that remembers which calls were answered and what they touched: for programs that do not
//! come to their end, and for replies that tell what was done.

use super::{Access, Answer, Domain, Layer, Onward, Place, Touch, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A world that notes the calls of a program, and what became of each.
pub struct Witness {
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    calls: Mutex<Vec<Noted>>,
}

/// A call that was noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// The operation.
    pub operation: String,
    /// The places that it writes, where that is known.
    pub written: Vec<Place>,
    /// What [`Domain::touched`] says of it.
    pub touched: Option<Vec<Touch>>,
    /// Whether it was carried out.
    pub end: CallEnd,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallEnd {
    /// It was carried out.
    Done,
    /// It was refused, with this code.
    Refused(String),
    /// No answer came: it is not known whether it was carried out.
    Unknown,
}

impl Witness {
    /// Notes the calls that reach `world`, which is of this domain.
    pub fn around(world: Arc<dyn World>, domain: &Arc<Domain>) -> Self {
        Witness {
            world,
            domain: domain.clone(),
            calls: Mutex::default(),
        }
    }

    /// The calls so far, in order.
    pub fn calls(&self) -> Vec<Noted> {
        self.noted().clone()
    }

    /// The places that all carried-out writes touched. `None` if one of them may have touched more
    /// than it names.
    pub fn touched(&self) -> Option<Vec<Touch>> {
        let noted = self.noted();
        let made = noted.iter().filter(|call| call.end == CallEnd::Done);
        let each: Option<Vec<&Vec<Touch>>> = made.map(|call| call.touched.as_ref()).collect();
        Some(each?.into_iter().flatten().cloned().collect())
    }

    fn noted(&self) -> MutexGuard<'_, Vec<Noted>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Layer for Witness {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let touches = match self.domain.writes(operation) {
            true => self.domain.touches(operation, params),
            false => Vec::new(),
        };
        let written = touches
            .into_iter()
            .filter(|touch| touch.access != Access::Read && !touch.is_later());
        let written = written.map(|touch| touch.place).collect();
        let touched = self.domain.touched(operation, params);
        let number = {
            let mut noted = self.noted();
            noted.push(Noted {
                operation: operation.to_owned(),
                written,
                touched,
                end: CallEnd::Unknown,
            });
            noted.len() - 1
        };
        let answer = onward.call(operation, params).await?;
        if let Some(call) = self.noted().get_mut(number) {
            call.end = match &answer {
                Ok(_) => CallEnd::Done,
                Err(refusal) => CallEnd::Refused(refusal.code.clone()),
            };
        }
        Ok(answer)
    }
}
