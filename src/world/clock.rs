//! Points in time as text, and back.

const DAY: u64 = 86_400;

/// The date of a day since 1970-01-01, by the rule of the Gregorian calendar's 400-year cycle.
pub fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{:02}", day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// The date, in UTC, of nanoseconds since 1970.
pub fn date_of(nanoseconds: i64) -> String {
    date(nanoseconds.max(0) as u64 / 1_000_000_000 / DAY)
}

/// The date and the time in UTC, to the millisecond: `2026-11-30T19:50:49.123Z`.
pub fn timestamp(nanoseconds: i64) -> String {
    let milliseconds = nanoseconds.max(0) as u64 / 1_000_000;
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (hours, minutes, second) = (seconds % DAY / 3600, seconds % 3600 / 60, seconds % 60);
    format!("{}T{hours:02}:{minutes:02}:{second:02}.{rest:03}Z", date(seconds / DAY))
}

/// Nanoseconds since 1970 of a [`timestamp`], or of any text of that form.
pub fn nanoseconds(timestamp: &str) -> Option<i64> {
    let number = |from: usize, to: usize| timestamp.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    // March is the first month, so that a leap day is the year's last.
    let (year, shifted) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days =
        365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * shifted + 2) / 5 + day - 1;
    let seconds = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    let milliseconds = ((days - 719_468) * DAY as i64 + seconds) * 1000 + number(20, 23).unwrap_or(0);
    milliseconds.checked_mul(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_days() {
        for (days, text) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_787, "2026-11-30")] {
            assert_eq!(date(days), text);
        }
    }

    #[test]
    fn times_of_day() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(20_787 * 86_400_000_000_000 + 71_449_123_456_789), "2026-11-30T19:50:49.123Z");
        assert_eq!(date_of(-5), "1970-01-01");
        for days in (0..40_000).step_by(13) {
            let time = days * 86_400_000_000_000 + 71_449_123_000_000;
            assert_eq!(nanoseconds(&timestamp(time)), Some(time));
        }
        assert_eq!(nanoseconds("yesterday, at noon"), None);
    }
}
