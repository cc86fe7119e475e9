/** Asks a service once for each name, within one sync. */

/** A question that failed is asked again. */
export function remembered<Answer>(ask: (name: string) => Promise<Answer>): (name: string) => Promise<Answer> {
	const answers = new Map<string, { readonly answer: Answer }>();
	return async (name) => {
		const known = answers.get(name) ?? { answer: await ask(name) };
		answers.set(name, known);
		return known.answer;
	};
}
