//! The view for the eyes: flights and meetings, day by day.

use super::view::{event_times, times};
use super::{Event, MediationWorld, User};

pub(super) fn draw(world: &MediationWorld, seat: usize) -> String {
    if let Some(user) = world.users.get(seat) {
        let mut lines = flights(user);
        lines.push("Meetings (importance from 1 to 10; * seen by the agent):".to_owned());
        let mut all: Vec<(&Event, bool)> =
            user.private.iter().map(|event| (event, false)).collect();
        all.extend(user.shared.iter().map(|event| (event, true)));
        all.sort_by_key(|(event, _)| event.start);
        lines.extend(all.into_iter().map(|(event, shared)| {
            let mark = if shared { '*' } else { ' ' };
            let stars = "#".repeat(event.importance.clamp(0, 10) as usize);
            format!(
                " {mark} {:<28} {:>2} {stars}",
                event_times(event),
                event.importance
            )
        }));
        return lines.join("\n");
    }
    let mut lines = Vec::new();
    for (which, user) in world.users.iter().enumerate() {
        lines.push(format!("== User {which}"));
        lines.extend(flights(user));
        lines.push("Meetings that you see:".to_owned());
        lines.extend(
            user.shared
                .iter()
                .map(|event| format!("   {}", event_times(event))),
        );
    }
    lines.join("\n")
}

fn flights(user: &User) -> Vec<String> {
    let mut lines = vec!["Flights:".to_owned()];
    lines.extend(user.flights.iter().enumerate().map(|(id, flight)| {
        let times = times(flight.start, flight.end, true);
        format!(
            "{id:>4}  {:<10} ${:<5} {times}",
            flight.carrier, flight.price
        )
    }));
    lines
}
