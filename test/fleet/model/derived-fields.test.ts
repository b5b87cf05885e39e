import { describe, expect, it } from 'vitest';
import { systemName } from '../../../src/fleet/model/derived-fields.ts';

describe('the name of a system', () => {
  it.each([
    ['Windows', '11 Pro', '23H2', 'Windows 11 Pro 23H2'],
    ['Windows', 'Server 2022 Standard', null, 'Windows Server 2022 Standard'],
    ['WINDOWS', '11 Pro', null, 'Windows 11 Pro'],
    ['Windows', 'Windows 11 Pro', null, 'Windows 11 Pro'],
    ['Windows', 'windows 10', '', 'windows 10'],
    ['Windows', null, '10.0.20348', 'Windows 10.0.20348'],
    ['Windows', '', '', 'Windows'],
    ['Linux', 'Ubuntu', '24.04', 'Ubuntu 24.04'],
    ['Mac', 'macOS', '15.1', 'macOS 15.1'],
    [null, '11 Pro 23H2', null, 'Windows 11 Pro 23H2'],
    [null, '10 Enterprise LTSC', '10.0.19044', 'Windows 10 Enterprise LTSC 10.0.19044'],
    ['', 'Server 2022 Standard 21H2', null, 'Windows Server 2022 Standard 21H2'],
    [null, 'Windows 11 Pro', null, 'Windows 11 Pro'],
    ['Linux', 'Server 2022', null, 'Server 2022'],
    [null, '11 bullseye', null, '11 bullseye'],
    [null, '10.15.7', null, '10.15.7'],
    [null, 'Ubuntu Server 2022', null, 'Ubuntu Server 2022'],
    [null, 'Haiku', null, 'Haiku'],
    [null, null, null, null],
    ['', '', '', null],
  ])('of family %s, name %s and version %s is %s', (osFamily, osName, osVersion, expected) => {
    expect(systemName({ osFamily, osName, osVersion })).toBe(expected);
  });
});
