/** A fleet that nobody saved: what is written is gone. */
import type { DeviceTextStore, InventoryStore } from '../../src/store/port/store.ts';

const noTexts: DeviceTextStore = {
  list: async () => [],
  put: async () => undefined,
  drop: async () => undefined,
  changesSince: async () => [],
};

export const nothingSaved: InventoryStore = {
  facts: async () => null,
  setFacts: async () => undefined,
  devices: noTexts,
  missingPatches: noTexts,
  revisions: async () => ({ facts: 0, devices: 0, missingPatches: 0 }),
};

/** What the index of missing patches needs beside a fleet, a clock, and whoever takes names. */
export const noMissingPatchesSaved = { store: nothingSaved, changesSince: async () => [] };
