/** The whole table of limits and rules. */
import { BLOCK_LIMITS } from './block-limits.ts';
import { BLOCK_RULES } from './block-rules.ts';
import { ELEMENT_LIMITS } from './element-limits.ts';
import type { LimitCase } from './limit-cases.ts';
import { NEWER_BLOCK_RULES } from './newer-block-rules.ts';
import { PAYLOAD_LIMITS } from './payload-limits.ts';
import { PAYLOAD_RULES } from './payload-rules.ts';
import { PLACEMENT_RULES } from './placement-rules.ts';
import { RICH_BLOCK_LIMITS } from './rich-block-limits.ts';
import type { RuleCase } from './rule-cases.ts';

export const LIMITS: readonly LimitCase[] = [
  ...BLOCK_LIMITS,
  ...ELEMENT_LIMITS,
  ...RICH_BLOCK_LIMITS,
  ...PAYLOAD_LIMITS,
];

export const RULES: readonly RuleCase[] = [
  ...BLOCK_RULES,
  ...NEWER_BLOCK_RULES,
  ...PAYLOAD_RULES,
  ...PLACEMENT_RULES,
];
