//! A small generator of numbers, so that what is made is a function of a seed.

/// Its state; never zero.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`; 0 where there are none.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}
