/** A query string becomes the body that a POST would have. */

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { bodyFromQuery } from "../../../../server/wire/requests/query-string.ts";

const schema = Type.Object({ types: Type.Array(Type.String()), containerTags: Type.Array(Type.String()) });
const read = (query: string) => bodyFromQuery(new URL(`http://127.0.0.1/?${query}`), schema);

test("each value of a list counts once, however its name is spelt", () => {
	expect(read("types=a,b")).toEqual({ types: ["a", "b"] });
	expect(read("types=a&types=b")).toEqual({ types: ["a", "b"] });
	expect(read("types[]=a&containerTags=x&container_tags=y")).toEqual({ types: ["a"], containerTags: ["x", "y"] });
});
