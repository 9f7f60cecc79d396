// What ESLint asks of the pages. Names and types are tsc's part.
import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "array-callback-return": "error",
      "arrow-body-style": "error",
      "eqeqeq": "error",
      "max-lines": ["error", 500],
      "max-lines-per-function": ["error", 80],
      "no-else-return": "error",
      "no-implicit-coercion": ["error", { boolean: false }],
      "no-shadow-restricted-names": "error",
      "no-unneeded-ternary": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "prefer-template": "error",
    },
  },
];
