/** The form that looks for devices: one from a menu, or all that fit some words. */
import { z } from 'zod';
import type { DeviceId } from '../../ids.ts';
import type { View } from '../../views/model.ts';
import type { FieldValues } from '../../views/models/form-model.ts';
import type { Typed } from '../define.ts';
import { MAX_TEXT, readWords, type Words } from '../line/grammar.ts';
import { chosenDevice, DEVICE, deviceField } from './device-form.ts';
import { faultText } from './fault-text.ts';
import type { Form, FormRead } from './form.ts';
import { errorOn, textIn } from './form-values.ts';

const WORDS = 'words';

/** `note`: said above the fields. `typed`: what was looked for before. */
const given = z
  .object({ note: z.string().max(MAX_TEXT), typed: z.string().max(MAX_TEXT) })
  .partial()
  .catch({});

/** `parse` reads words as they are typed after the command. */
export function findForm(parse: (words: Words) => Typed<object>): Form {
  return {
    async open(from) {
      const { note, typed = '' } = given.parse(from);
      const said = note === undefined ? [] : [{ kind: 'words', text: note } as const];
      const device = { ...deviceField(null), optional: true } as const;
      const words = {
        kind: 'text',
        id: WORDS,
        label: 'Or search',
        hint: 'Words and filters, for example: web or db, os:windows is:offline.',
        optional: true,
        initial: typed,
        most: MAX_TEXT,
      } as const;
      const form = { command: 'devices', title: 'Find a device', submit: 'Find', context: null };
      return { kind: 'form', form: { ...form, fields: [...said, device, words] } };
    },
    read: (values) => read(values, parse),
  };
}

function read(values: FieldValues, parse: (words: Words) => Typed<object>): FormRead {
  const device = chosenDevice(values);
  const typed = textIn(values, WORDS);
  if (device !== null && typed !== '')
    return errorOn(WORDS, 'Use either the device above or this search, not both.');
  if (device !== null) return { kind: 'input', input: { words: [`#${device}`], filters: [] } };
  if (typed === '') return errorOn(DEVICE, 'Choose a device, or search below.');
  const split = readWords(typed);
  const parsed = split.kind === 'fault' ? split : parse(split.words);
  if (parsed.kind === 'fault') return errorOn(WORDS, faultText(parsed.fault));
  return { kind: 'input', input: { ...parsed.input, typed } };
}

/** The one device of a list that has no other, which its card says more of; null for all other answers. */
export function onlyFound(view: View): DeviceId | null {
  if (view.kind === 'shareable') return onlyFound(view.view);
  if (view.kind !== 'devices' || view.paging.total !== 1) return null;
  return view.rows[0]?.device?.id ?? null;
}
