//! Listings of which a program read the first pages alone.
//!
//! S3 gives 1,000 names at once and says that there are more; a program that counts them and
//! does not ask for the rest is silently wrong. The user is told, whatever the model says.

use crate::domain::Page;

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
            // A listing that came to its end and is read once more begins again.
            Some(known) if known.has_more => {
                known.items += page.items;
                known.has_more = page.has_more;
            }
            Some(known) => *known = page,
            None => self.0.push(page),
        }
    }

    /// A sentence for each listing that was not read to its end.
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
