// What the MCP package has of its platform, in place of its own choice for Node. That brings a checker of JSON schemas
// along, 0.3 MB of code, for the forms that a server shows to its user; Verdict shows none.
export { default as process } from "node:process";

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("The server was built without a checker of JSON schemas.");
  }
}
