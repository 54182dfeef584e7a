//! Verdicts, faults and rules told to a person.
