/** The product with approval rules. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runProduct } from '../../../src/sandbox/process/run-product.ts';

const RULES = `
otherwise: { remind: 2m }
rules:
  - { name: two, when: { devices: "group:Kiosks", commands: [reboot] }, approvals: 2 }
  - { name: lab, when: { devices: "group:Laptops", commands: [reboot] }, run: { perHour: 1 } }
  - { name: freeze, when: { commands: [patch] }, refuse: "Change freeze until 4 January." }
  - { name: ticket, when: { commands: [device-edit] }, reason: 'CHG-\\d{5}' }
`;

const configuration = process.env['PATCHBAY_CONFIG'] ?? '';
const ruled = `${configuration}.rules.yml`;
writeFileSync(ruled, `${readFileSync(configuration, 'utf8')}${RULES}`);
process.env['PATCHBAY_CONFIG'] = ruled;

// The next start in this process would add the same once more.
await runProduct({ canRest: false });
