//! Listings that a program did not read to the end.
//!
//! S3 returns at most 1,000 names at once and says that there are more. A program that counts
//! only these gives a wrong number. The user is told, whatever the model says.

use crate::domain::Page;

/// The name of this aid.
pub(super) const UNREAD_LISTING: &str = "unread-listing";

/// The listings of a program, in the order of their first pages.
#[derive(Debug, Default)]
pub(super) struct Listings(Vec<Page>);

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
