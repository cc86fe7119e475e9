/** What the config file gives a plugin, or a part of it, as a record to be added to; whether it is valid is checked at admission. */

export type GivenOptions = Readonly<Record<string, unknown>>;

export function givenOptions(value: unknown): GivenOptions {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as GivenOptions) : {};
}
