/** A separate process that opens the store at the given path, reports it, and holds it until it is killed. */
import { openStore } from '../../../src/store/open.ts';
import { ORGANIZATION } from '../builders.ts';

const [, , path = ''] = process.argv;
await openStore({ database: { kind: 'sqlite', path }, organizationId: ORGANIZATION });
process.stdout.write('open\n');
setInterval(() => {}, 60_000);
