/** Preact and htm, in one place for all views. */

import { h, render, Component, Fragment } from './lib/preact.js';
import htm from './lib/htm.js';

export { h, render, Component, Fragment };
export { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback } from './lib/hooks.js';
export const html = htm.bind(h);
