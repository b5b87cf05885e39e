/** The product with its patch alerts in `random`, the channel that the bot is not in. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runProduct } from '../../../src/sandbox/process/run-product.ts';

const configuration = process.env['PATCHBAY_CONFIG'] ?? '';
const elsewhere = `${configuration}.elsewhere.yml`;
const text = readFileSync(configuration, 'utf8');
const changed = text.replace(/("?patchAlerts"?: *"?)\w+/, '$1C0RANDOM001');
if (changed === text) throw new Error('the configuration names no channel for patch alerts');
writeFileSync(elsewhere, changed);
process.env['PATCHBAY_CONFIG'] = elsewhere;

await runProduct();
