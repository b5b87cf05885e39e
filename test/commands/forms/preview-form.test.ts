import { describe, expect, it } from 'vitest';
import { previewForm } from '../../../src/commands/preview.ts';
import { DIALECTS } from '../../../src/fleet/dialect.ts';
import {
  failsIfCalled,
  fieldOf,
  fieldsOf,
  fleet,
  formFleetPorts,
  readForm,
  valuesOf,
} from './form-harness.ts';

describe('the builder of device filters', () => {
  const entered = {
    os: ['Linux'],
    version: ['12, 13'],
    not_host: ['db, , kiosk'],
    group: ['20'],
  };

  it('has each field of the interface with its two operators, and asks nothing before there is a filter', async () => {
    fleet.previewQueries.length = 0;
    const fields = fieldsOf(await previewForm.open({}, formFleetPorts));
    expect(fields.flatMap((field) => (field.kind === 'words' ? [] : [field.id]))).toEqual([
      ...['host', 'not_host', 'tag', 'not_tag', 'os', 'not_os', 'ip', 'not_ip', 'version', 'not_version'],
      ...['ou', 'not_ou'],
      'group',
    ]);
    expect(fieldOf(fields, 'os')).toMatchObject({ options: [{ value: 'Linux' }, { value: 'Windows' }] });
    expect(fleet.previewQueries).toEqual([]);
  });

  it('asks the service again after every change, and shows what matches', async () => {
    fleet.previewQueries.length = 0;
    const fields = fieldsOf(
      (await previewForm.redraw?.(valuesOf(entered), null, formFleetPorts)) ?? failsIfCalled(),
    );
    expect(fleet.previewQueries).toEqual([
      {
        filters: [
          { field: 'hostname', op: 'not_like_any', values: ['db', 'kiosk'] },
          { field: 'os_family', op: 'in', values: ['Linux'] },
          { field: 'os_version_id', op: 'in', values: ['12', '13'] },
        ],
        groupIds: [20],
        pageSize: 10,
        firstPage: 0,
      },
    ]);
    expect(fields[0]).toEqual({ kind: 'words', text: '1 device matches:\nweb-01 · #1' });
    expect(fields[1]).toMatchObject({
      kind: 'words',
      text: expect.stringContaining('must match every field'),
    });
    expect(fieldOf(fields, 'version')).toMatchObject({ initial: '12, 13' });
    expect(fieldOf(fields, 'group')).toMatchObject({ initial: [{ value: '20', label: 'Linux servers' }] });
  });

  it('has no unit where the service does not filter by it', async () => {
    const documented = { ...formFleetPorts, dialect: DIALECTS.documented };
    const fields = fieldsOf(await previewForm.open({}, documented));
    expect(fields.flatMap((field) => (field.kind === 'words' ? [] : [field.id]))).not.toContain('ou');
  });

  it('gives input for preview', () => {
    expect(readForm(previewForm, entered)).toEqual({
      kind: 'input',
      input: {
        filters: [
          { key: 'host', value: 'db', negated: true },
          { key: 'host', value: 'kiosk', negated: true },
          { key: 'os', value: 'Linux', negated: false },
          { key: 'version', value: '12', negated: false },
          { key: 'version', value: '13', negated: false },
          { key: 'group', value: '#20', negated: false },
        ],
      },
    });
  });

  it.each([
    ['no filter at all', {}, 'host'],
    ['a version that is no number', { not_version: ['ten'] }, 'not_version'],
  ])('says on the field what is wrong: %s', (_what, values, field) => {
    expect(readForm(previewForm, values)).toEqual({
      kind: 'errors',
      errors: { [field]: expect.any(String) },
    });
  });
});
