/** What the buttons of a list carry in its input, beside the question. */
import { z } from 'zod';

/** Of a list that is kept: the key of the rows that its pages go over. */
export const listInput = z.object({ result: z.string().min(1).max(20).optional() });
export type ListInput = z.infer<typeof listInput>;

/** Of one that can be read anew as well. */
export const refreshableInput = listInput.extend({ refresh: z.literal(true).optional() });
export type RefreshableInput = z.infer<typeof refreshableInput>;
