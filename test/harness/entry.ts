/** The product's entry file: that of the bundle, where the tests made one. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bundle = process.env['PATCHBAY_BUNDLE'];

/** Of the project: it alone has the sandbox. */
export const SOURCE_ENTRY = fileURLToPath(new URL('../../src/patchbay.js', import.meta.url));
export const ENTRY = bundle === undefined ? SOURCE_ENTRY : join(bundle, 'patchbay.js');
