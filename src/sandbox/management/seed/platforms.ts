/** Operating systems and models of the fleet. */
import type { Platform } from '../world/model.ts';

const server = {
  vendor: 'Dell Inc.',
  model: 'PowerEdge R650',
  cpu: 'Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz',
};
const laptop = { vendor: 'LENOVO', model: '21CBCTO1WW', cpu: '12th Gen Intel(R) Core(TM) i7-1255U' };
const kiosk = {
  vendor: 'Gigabyte Technology Co., Ltd.',
  model: 'BRi3H-10110',
  cpu: 'Intel(R) Core(TM) i3-10110U',
};
const mac = { vendor: 'Apple Inc.', model: 'Mac14,7', cpu: 'Apple M2' };

export const UBUNTU: Platform = {
  ...server,
  family: 'Linux',
  osName: 'Ubuntu',
  osVersion: '22.04',
  osVersionId: 5_201,
  shell: null,
};
export const DEBIAN: Platform = { ...UBUNTU, osName: 'Debian', osVersion: '12', osVersionId: 5_202 };
export const REDHAT: Platform = {
  ...UBUNTU,
  osName: 'Red Hat Enterprise Linux',
  osVersion: '9.4',
  osVersionId: 5_203,
};
export const WINDOWS_SERVER: Platform = {
  ...server,
  family: 'Windows',
  osName: 'Server 2022 Standard',
  osVersion: '10.0.20348',
  osVersionId: 5_101,
  shell: '5.1.20348.2652',
};
export const WINDOWS_10: Platform = {
  ...kiosk,
  family: 'Windows',
  osName: '10 Enterprise LTSC',
  osVersion: '10.0.19045',
  osVersionId: 5_102,
  shell: '5.1.19041.4894',
};
export const WINDOWS_11: Platform = {
  ...laptop,
  family: 'Windows',
  osName: '11 Pro',
  osVersion: '10.0.22631',
  osVersionId: 5_103,
  shell: '5.1.22621.4111',
};
export const MAC_SONOMA: Platform = {
  ...mac,
  family: 'Mac',
  osName: 'macOS',
  osVersion: '14.6.1',
  osVersionId: 5_301,
  shell: null,
};
export const MAC_VENTURA: Platform = { ...MAC_SONOMA, osVersion: '13.6.9', osVersionId: 5_302 };
