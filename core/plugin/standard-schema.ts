/** The validation interface of standardschema.dev, version 1: zod, valibot, arktype and others implement it. */

export interface StandardSchema<Input = unknown, Output = Input> {
	readonly "~standard": {
		readonly version: 1;
		readonly vendor: string;
		readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>;
		readonly types?: { readonly input: Input; readonly output: Output } | undefined;
	};
}

type Result<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
	readonly message: string;
	readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type InputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["input"];
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** The validated value, or an error message with all issues. */
export async function validate<Output>(
	schema: StandardSchema<unknown, Output>,
	value: unknown,
): Promise<{ readonly value: Output } | { readonly message: string }> {
	const result = await schema["~standard"].validate(value);
	if (result.issues === undefined) return { value: result.value };
	return { message: result.issues.map(describeIssue).join("; ") };
}

function describeIssue(issue: SchemaIssue): string {
	const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
	return path === "" ? issue.message : `${path}: ${issue.message}`;
}
