/** Where the covered product of this process writes its port. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const portFile = (parent: number): string => join(tmpdir(), `patchbay-coverage-${parent}`);
