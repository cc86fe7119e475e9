/** The members that differ. A form sends only these back: what was stored before a rule for it was made would be refused. */

export function changed<Values extends object>(before: Partial<Values>, after: Values): Partial<Values> {
	const differing = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Values]));
	return Object.fromEntries(differing) as Partial<Values>;
}
