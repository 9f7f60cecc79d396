//! From the tiles of a picture to the hand that is shown. Knows nothing of rules' values.
