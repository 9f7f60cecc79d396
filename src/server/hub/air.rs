//! What goes on air, as the operator decides it.

use super::Hub;
use crate::server::OnAirSetting;

impl Hub {
    /// Puts the hand that is read on air as it is now; false where there is none.
    pub fn put_on_air(&self) -> bool {
        let mut inner = self.lock();
        let preview = self.preview(&inner);
        let is_shown = inner.programme.show(&preview);
        if is_shown {
            self.push(&mut inner);
        }
        is_shown
    }

    /// Takes the hand that is on air off.
    pub fn take_off_air(&self) {
        let mut inner = self.lock();
        inner.programme.hide();
        self.push(&mut inner);
    }

    /// What goes on air by itself.
    pub fn on_air_setting(&self) -> OnAirSetting {
        self.lock().programme.setting()
    }

    /// Changes it.
    pub fn set_on_air(&self, setting: OnAirSetting) {
        let mut inner = self.lock();
        inner.programme.set(setting);
        self.push(&mut inner);
    }
}
