/** The product with approvals that end after two hours, so that no test waits for a day. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runProduct } from '../../../src/sandbox/process/run-product.ts';

const configuration = process.env['PATCHBAY_CONFIG'] ?? '';
const short = `${configuration}.short.yml`;
writeFileSync(short, `${readFileSync(configuration, 'utf8')}\nrollouts: {maxAge: 2h}\n`);
process.env['PATCHBAY_CONFIG'] = short;

// The next start in this process would add the same once more.
await runProduct({ canRest: false });
