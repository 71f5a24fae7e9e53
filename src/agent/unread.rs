//! Listings that a program did not read to the end.
//!
//! S3 returns at most 1,000 names at once and says that there are more. A program that counts
//! only these gives a wrong number. The user is told, whatever the model says.

use crate::domain::{Answer, Domain, Layer, Onward, Page, Pages, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of this aid.
pub(super) const UNREAD_LISTING: &str = "unread-listing";

/// The listings of a program, in the order of their first pages.
#[derive(Debug, Default)]
struct Listings(Vec<Page>);

impl Listings {
    /// Adds the next page of its listing.
    pub fn add(&mut self, page: Page) {
        match self
            .0
            .iter_mut()
            .find(|known| known.listing == page.listing)
        {
            // A listing that is read a second time begins again.
            Some(known) if known.has_more => {
                known.items += page.items;
                known.has_more = page.has_more;
            }
            Some(known) => *known = page,
            None => self.0.push(page),
        }
    }

    /// A sentence for each listing that was not read to the end.
    pub fn unread(&self) -> Vec<String> {
        let unread = self.0.iter().filter(|page| page.has_more);
        unread
            .map(|page| {
                let (items, title) = (page.items, &page.title);
                format!("Only the first {items} {title} were read; there are more.")
            })
            .collect()
    }
}

/// A world that notes what a program lists.
pub struct WatchedListings {
    world: Arc<dyn World>,
    pages: Option<Arc<dyn Pages>>,
    listings: Mutex<Listings>,
}

impl WatchedListings {
    /// Notes what one program lists in `world`, which is of this domain.
    pub fn around(world: Arc<dyn World>, domain: &Domain) -> Self {
        WatchedListings {
            world,
            pages: domain.api.pages.clone(),
            listings: Mutex::default(),
        }
    }

    /// A sentence for each listing that was not read to the end.
    pub fn unread(&self) -> Vec<String> {
        self.listings().unread()
    }

    /// A panic cannot leave half-changed listings behind the lock.
    fn listings(&self) -> MutexGuard<'_, Listings> {
        self.listings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Layer for WatchedListings {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let answer = onward.call(operation, params).await?;
        let answered = self.pages.as_ref().zip(answer.as_ref().ok());
        let page = answered.and_then(|(pages, answer)| pages.page(operation, params, answer));
        if let Some(page) = page {
            self.listings().add(page);
        }
        Ok(answer)
    }
}
