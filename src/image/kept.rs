//! Records of an image, decoded once: a process that judges many calls meets the same ones again and again.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::bytes::Fault;
use super::layout::Location;

/// Records that are kept; what comes after them is decoded anew each time.
const RECORDS: usize = 4096;

/// By place; shared by the clones of an image.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<BTreeMap<Location, Arc<dyn Any + Send + Sync>>>>);

impl Kept {
    /// The record of this place, as it was read before, or as `read` reads it.
    pub fn get<T: Any + Send + Sync>(
        &self,
        location: Location,
        read: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<Arc<T>, Fault> {
        let known = self.0.lock().ok().and_then(|kept| kept.get(&location).cloned());
        // Names of one hash may lead to a record of another kind.
        if let Some(Ok(record)) = known.map(|record| record.downcast::<T>()) {
            return Ok(record);
        }
        let record = Arc::new(read()?);
        if let Ok(mut kept) = self.0.lock()
            && kept.len() < RECORDS
        {
            kept.insert(location, record.clone());
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_once_and_never_as_another_kind() {
        let kept = Kept::default();
        let at = Location { offset: 1, length: 1 };
        let other = Location { offset: 2, length: 1 };
        assert_eq!(*kept.get(at, || Ok(7_u32)).expect("read"), 7);
        assert_eq!(*kept.get(at, || -> Result<u32, Fault> { Err(Fault::Read) }).expect("kept"), 7);
        assert_eq!(*kept.get(other, || Ok(8_u32)).expect("read"), 8);
        assert_eq!(*kept.clone().get(at, || Ok("text")).expect("read"), "text");
        assert!(kept.get(Location { offset: 3, length: 1 }, || -> Result<u32, Fault> { Err(Fault::Read) }).is_err());
    }
}
