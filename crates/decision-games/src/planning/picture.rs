//! The view for the eyes: wishes, or a list of sites and a small map.

use super::site::bounds;
use super::{PlanningWorld, TYPES};

const WIDTH: usize = 64;
const HEIGHT: usize = 20;

pub(super) fn draw(world: &PlanningWorld, seat: usize) -> String {
    if seat == 0 {
        let texts = world
            .preferences
            .iter()
            .map(|wish| format!("\n  - {}", wish.text()));
        return texts.fold("Travel preferences:".to_owned(), |all, text| all + &text);
    }
    let mut lines = Vec::new();
    for kind in TYPES {
        for (number, site) in world
            .sites
            .iter()
            .enumerate()
            .filter(|(_, site)| site.kind == kind)
        {
            let features: Vec<String> = site
                .features
                .iter()
                .map(|(name, value)| format!("{name}: {value}"))
                .collect();
            lines.push(format!(
                "{:>2} {:<22} {kind:<10} ${:<4} {}",
                number + 1,
                site.name,
                site.price,
                features.join(", ")
            ));
        }
    }
    lines.push(String::new());
    lines.extend(map(world));
    lines.join("\n")
}

/// The numbers of the sites where they lie, north up.
fn map(world: &PlanningWorld) -> Vec<String> {
    let (west, east) = bounds(&world.sites, 0);
    let (south, north) = bounds(&world.sites, 1);
    let place = |value: f64, low: f64, high: f64, size: usize| {
        (((value - low) / (high - low).max(1e-9)) * (size - 1) as f64).round() as usize
    };
    let mut grid = vec![vec![' '; WIDTH + 3]; HEIGHT];
    for (number, site) in world.sites.iter().enumerate() {
        let column = place(site.loc[0], west, east, WIDTH).min(WIDTH - 1);
        let row = (HEIGHT - 1).saturating_sub(place(site.loc[1], south, north, HEIGHT));
        let label: String = (number + 1).to_string().chars().take(3).collect();
        // Where one lies already, the next line that is free has room.
        let free = |row: &Vec<char>| row[column..column + label.len()].iter().all(|c| *c == ' ');
        let row = (row..HEIGHT)
            .chain(0..row)
            .find(|row| free(&grid[*row]))
            .unwrap_or(row);
        for (offset, c) in label.chars().enumerate() {
            grid[row][column + offset] = c;
        }
    }
    grid.into_iter()
        .map(|row| row.into_iter().collect::<String>().trim_end().to_owned())
        .collect()
}
