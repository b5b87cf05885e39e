import { describe, expect, it } from 'vitest';
import { organizationCommand } from '../../src/commands/organization.ts';
import { organizationId } from '../../src/lib/ids.ts';
import { anOrganization } from '../harness/builders.ts';
import { testPorts } from './harness/ports.ts';
import { runCommand } from './harness/run-command.ts';

describe('organization', () => {
  it('is the one that is set, of all that the key sees', async () => {
    const organizations = [anOrganization({ id: organizationId(8), name: 'Other' }), anOrganization()];
    const view = await runCommand(
      organizationCommand,
      'organization',
      '',
      testPorts({ organizations }).ports,
    );
    expect(view.organization?.name).toBe('Acme');
  });

  it('is not among those that the key sees', async () => {
    const organizations = [anOrganization({ id: organizationId(8) })];
    const view = await runCommand(
      organizationCommand,
      'organization',
      '',
      testPorts({ organizations }).ports,
    );
    expect(view).toMatchObject({ organization: null, id: 7 });
  });
});
