// Whoever presses twice means it once.

/** The time for which whatever has answered or entered something does nothing else, in milliseconds. */
export const DEAF = 1000;

/** A pause after an entry; `wake` is called as it begins and as it ends. */
export function pause(wake) {
  let timer = null;
  return {
    begin: () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = null;
        wake();
      }, DEAF);
      wake();
    },
    lasts: () => timer !== null,
  };
}
