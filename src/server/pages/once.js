// Whoever presses twice means it once.

/** The time for which whatever has answered or entered something does nothing else, in milliseconds. */
export const DEAF = 1000;

/** A pause after an entry; `wake` is called as it begins and as it ends. @param {() => unknown} wake */
export function pause(wake) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return {
    begin: () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        wake();
      }, DEAF);
      wake();
    },
    lasts: () => timer !== undefined,
  };
}
