/** Successes and errors of the service (shapes observed live, "in practice" 2.1). */
import type { z } from 'zod';

export type FieldProblems = Readonly<Record<string, readonly string[]>>;

/** 201 without a body: the new id is not returned. */
export const createdResponse = (): Response => new Response(null, { status: 201 });
export const noContentResponse = (): Response => new Response(null, { status: 204 });

export const unauthorizedResponse = (): Response => plainErrorResponse(401, 'Unauthorized');
export const forbiddenResponse = (): Response =>
  plainErrorResponse(
    403,
    'You do not have permission to perform this action. Please contact your system administrator for support.',
  );
export const notFoundResponse = (): Response => plainErrorResponse(404, 'Not found');

/** Keyed by the field with the error. */
export function invalidResponse(errors: FieldProblems): Response {
  return Response.json({ errors }, { status: 400 });
}

/** An error that belongs to no field. */
export function plainErrorResponse(status: number, message: string): Response {
  return Response.json({ errors: [message] }, { status });
}

/** The shape of newer services (RFC 9457). */
export function problemResponse(status: number, title: string, detail: string, instance: string): Response {
  const type = 'about:blank';
  return Response.json(
    { type, title, status, detail, instance },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
}

/** The errors of a schema, by field. */
export function fieldProblemsOf(error: z.ZodError): FieldProblems {
  const problems: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const field = String(path[0] ?? 'body');
    problems[field] = [...(problems[field] ?? []), message];
  }
  return problems;
}
