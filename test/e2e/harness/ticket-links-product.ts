/** The product with links to tickets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runProduct } from '../../../src/sandbox/process/run-product.ts';

const configuration = process.env['PATCHBAY_CONFIG'] ?? '';
const linking = `${configuration}.tickets.yml`;
const line = 'ticketUrl: https://tickets.example.com/browse/{id}';
writeFileSync(linking, `${readFileSync(configuration, 'utf8')}\n${line}\n`);
process.env['PATCHBAY_CONFIG'] = linking;

await runProduct({ canRest: false });
