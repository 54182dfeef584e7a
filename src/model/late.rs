//! A part of a declaration that is read when it is first looked at. A program has dozens of options, and a call gives two of
//! them.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value, or the bytes that it is stored as. Stored bytes that make no sense are the empty value: what they lie in has a
/// checksum, so that they are as they were written.
#[derive(Clone)]
pub struct Late<T> {
    stored: Box<[u8]>,
    value: OnceLock<T>,
}

impl<T: DeserializeOwned + Default> Deref for Late<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.get_or_init(|| match &*self.stored {
            [] => T::default(),
            stored => postcard::from_bytes(stored).unwrap_or_default(),
        })
    }
}

impl<T: DeserializeOwned + Default> DerefMut for Late<T> {
    fn deref_mut(&mut self) -> &mut T {
        let _ = &**self;
        // INVARIANT (looked at): it was on the line before, so that there is a value.
        self.value.get_mut().expect("a value")
    }
}

impl<T> From<T> for Late<T> {
    fn from(value: T) -> Late<T> {
        Late { stored: Box::default(), value: OnceLock::from(value) }
    }
}

impl<T: Default> Default for Late<T> {
    fn default() -> Late<T> {
        Late::from(T::default())
    }
}

impl<T: DeserializeOwned + Default + std::fmt::Debug> std::fmt::Debug for Late<T> {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        (**self).fmt(out)
    }
}

impl<T: DeserializeOwned + Default + PartialEq> PartialEq for Late<T> {
    fn eq(&self, other: &Late<T>) -> bool {
        **self == **other
    }
}

impl<T: DeserializeOwned + Default + Eq> Eq for Late<T> {}

impl<T: Serialize + DeserializeOwned + Default + PartialEq> Serialize for Late<T> {
    /// As bytes; none for the empty value.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: &T = self;
        if *value == T::default() {
            return serializer.serialize_bytes(&[]);
        }
        let bytes = postcard::to_stdvec(value).map_err(serde::ser::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de, T> Deserialize<'de> for Late<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Late<T>, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Box<[u8]>;
            fn expecting(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
                out.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Box<[u8]>, E> {
                Ok(bytes.into())
            }
        }
        Ok(Late { stored: deserializer.deserialize_bytes(Visitor)?, value: OnceLock::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_again() {
        let texts = Late::from(vec!["one".to_string(), "two".to_string()]);
        let bytes = postcard::to_stdvec(&(&texts, 7_u8)).expect("plain data");
        let (read, seven): (Late<Vec<String>>, u8) = postcard::from_bytes(&bytes).expect("as written");
        assert_eq!((&read, seven), (&texts, 7));
        assert_eq!(postcard::to_stdvec(&Late::from(Vec::<String>::new())).expect("plain data"), [0]);
    }

    #[test]
    fn what_makes_no_sense_is_empty() {
        let bytes = postcard::to_stdvec(&Late::from("text".to_string())).expect("plain data");
        let read: Late<Vec<u64>> = postcard::from_bytes(&bytes).expect("bytes");
        assert_eq!(*read, Vec::<u64>::new());
    }
}
