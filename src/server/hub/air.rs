//! The operator's decisions about what is on air.

use super::Hub;
use crate::server::OnAirSetting;

impl Hub {
    /// Puts the current hand on air; false without one.
    pub fn put_on_air(&self) -> bool {
        let mut inner = self.lock();
        let preview = inner.preview();
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

    /// The setting of what goes on air automatically.
    pub fn on_air_setting(&self) -> OnAirSetting {
        self.lock().programme.setting()
    }

    /// Changes the setting.
    pub fn set_on_air(&self, setting: OnAirSetting) {
        let mut inner = self.lock();
        inner.programme.set(setting);
        self.push(&mut inner);
    }
}
