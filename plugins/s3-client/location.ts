/** Where objects are kept, and by whose keys: an address, and the usual variables of AWS. */

import { fail, type PluginSetting } from "cairn-memory";
import { parseS3Address, regionPattern, type S3Address } from "./address.ts";
import { bucketUrl, type SigningKeys } from "./sign-request.ts";

export interface S3Location extends Pick<S3Address, "bucket" | "prefix" | "encryption"> {
	readonly baseUrl: string;
	readonly keys: SigningKeys;
}

/** Read by whatever keeps objects in S3. The names are those of AWS, because other tools and platforms set them. */
export const awsSettings: readonly PluginSetting[] = [
	{ env: "AWS_ACCESS_KEY_ID", kind: "secret", meaning: "id of the access key for S3" },
	{ env: "AWS_SECRET_ACCESS_KEY", kind: "secret", meaning: "secret of the access key for S3" },
	{ env: "AWS_SESSION_TOKEN", kind: "secret", meaning: "session token, for a temporary access key" },
	{ env: "AWS_REGION", kind: "text", meaning: "region of the bucket, if its address names none", fallback: "us-east-1" },
	{
		env: "AWS_ENDPOINT_URL",
		kind: "address",
		meaning: "S3 service other than AWS, such as https://minio.example.com, if the address of the bucket names none",
	},
];

/**
 * @param setting the name of the setting that holds the address, for messages
 * @param settings the values of `awsSettings` by name
 * @throws ServiceError `SETTING_INVALID`
 */
export function s3Location(setting: string, text: string, settings: Readonly<Record<string, unknown>>): S3Location {
	const refuse = (words: string) => fail("SETTING_INVALID", setting, `it ${words}`);
	const address = parseS3Address(text);
	if ("expected" in address) throw refuse(`should ${address.expected}`);
	const { bucket, prefix, encryption } = address;
	const region = address.region ?? String(settings["AWS_REGION"]);
	if (!regionPattern.test(region)) throw refuse("needs a region such as eu-central-1 in AWS_REGION");
	const [accessKeyId, secretAccessKey] = [settings["AWS_ACCESS_KEY_ID"], settings["AWS_SECRET_ACCESS_KEY"]];
	if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string") {
		const missing = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].filter((name) => typeof settings[name] !== "string");
		throw refuse(`needs ${missing.join(" and ")} as well`);
	}
	const endpoint = address.endpoint ?? ((settings["AWS_ENDPOINT_URL"] ?? "") as string);
	const keys = { accessKeyId, secretAccessKey, sessionToken: (settings["AWS_SESSION_TOKEN"] ?? null) as string | null, region };
	return { bucket, prefix, encryption, baseUrl: bucketUrl({ endpoint, bucket, region }), keys };
}
