#!/usr/bin/env bash
# Scores one hand under every rule set, then shows waits and a batch. Usage: demo.sh BINARY
set -euo pipefail
binary=$1
hand="12345678m55z (7'77z) +9m"

for rules in mmm mmm-dk ims hkos chumchu; do
  "$binary" score "$hand" --rules "$rules" --seat S --round E --from W --glyphs always || [ $? -eq 1 ]
  echo
done
echo "What a hand one tile short waits for, under mmm:"
"$binary" waits "123m456p78s99s (7'77z)" --seen 66s9s --seat S
echo
echo "The same for programs, a JSON object a line:"
echo '{"rules":"hkos","hand":"222p4p (1'"'"'111p) (6'"'"'66p) (8'"'"'88p) 26f +4p","seat":"S","round":"E","win":"self_draw","supplement":true}' |
  "$binary" score --batch - --brief
