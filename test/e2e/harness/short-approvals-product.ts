/** The product with approvals that end after two hours, so that no test waits for a day, and with links to tickets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runProduct } from '../../../src/sandbox/process/run-product.ts';

const configuration = process.env['PATCHBAY_CONFIG'] ?? '';
const short = `${configuration}.short.yml`;
const settings = 'rollouts: {maxAge: 2h}\nticketUrl: https://tickets.example.com/browse/{id}';
writeFileSync(short, `${readFileSync(configuration, 'utf8')}\n${settings}\n`);
process.env['PATCHBAY_CONFIG'] = short;

// The next start in this process would add the same once more.
await runProduct({ canRest: false });
