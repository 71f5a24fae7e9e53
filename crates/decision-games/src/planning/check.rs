//! What a world of planning may be.

use super::site::{Feature, Site};
use super::{PlanningWorld, Preference, STOPS};
use crate::bounds::{self, POINTS, PRICE};

/// A sentence says what is wrong with a world.
pub(super) fn check(world: &PlanningWorld) -> Result<(), String> {
    bounds::count("sites", world.sites.len(), STOPS)?;
    bounds::count("preferences", world.preferences.len(), 0)?;
    let names = world.sites.iter().map(|site| &site.name);
    // Marks of an itinerary, and of the table that a search gives.
    bounds::named("the site", names, &[",", "[", "]", "|"])?;
    world.sites.iter().try_for_each(site)?;
    world.preferences.iter().try_for_each(preference)
}

fn site(site: &Site) -> Result<(), String> {
    if site.name.eq_ignore_ascii_case("null") {
        return Err("no site can be called NULL, which is an empty slot".to_owned());
    }
    let name = &site.name;
    bounds::line("the type", &site.kind)?;
    bounds::within(&format!("the price of {name}"), site.price, 0, PRICE)?;
    let [longitude, latitude] = site.loc;
    bounds::within(
        &format!("the longitude of {name}"),
        longitude,
        -180.0,
        180.0,
    )?;
    bounds::within(&format!("the latitude of {name}"), latitude, -90.0, 90.0)?;
    for (feature, value) in &site.features {
        bounds::line("the feature", feature)?;
        value_of(value)?;
    }
    Ok(())
}

fn value_of(value: &Feature) -> Result<(), String> {
    match value {
        Feature::Word(word) => bounds::line("the value", word),
        Feature::Flag(_) | Feature::Number(_) => Ok(()),
    }
}

fn preference(preference: &Preference) -> Result<(), String> {
    let text = preference.text();
    bounds::line("the preference", text)?;
    let weight = format!("the weight of {text:?}");
    match preference {
        // Records have these below 0, and their size counts.
        Preference::Budget { budget, .. } => {
            bounds::within(&format!("the budget of {text:?}"), *budget, 0, PRICE)?;
            bounds::within(&weight, preference.weight(), -POINTS, POINTS)
        }
        Preference::Travel { .. } => bounds::within(&weight, preference.weight(), -POINTS, POINTS),
        Preference::Feature { value_sets, .. } => {
            value_sets.iter().flatten().try_for_each(value_of)?;
            bounds::within(&weight, preference.weight(), 0, POINTS)
        }
        Preference::Visit { .. } | Preference::Category { .. } => {
            bounds::within(&weight, preference.weight(), 0, POINTS)
        }
    }
}
