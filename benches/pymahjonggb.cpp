// The calculator of PyMahjongGB in a loop, without Python. Standard input: a number of hands, then each as
// numbers (benches/scoring.rs, `peer_line`); then each further line asks for one pass over all of them,
// which is answered by the hands a second. With an argument: the total of each hand, a line each, instead.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "fan_calculator.h"

static uint64_t total(const mahjong::calculate_param_t &hand) {
    mahjong::fan_table_t fans = {};
    if (mahjong::calculate_fan(&hand, &fans) < 0) return 0;
    uint64_t sum = 0;
    for (int i = 0; i < mahjong::FAN_TABLE_SIZE; i++) sum += fans[i] * mahjong::fan_value_table[i];
    return sum;
}

static int number() {
    int found = 0;
    if (scanf("%d", &found) != 1) _Exit(1);
    return found;
}

int main(int arguments, char **) {
    std::vector<mahjong::calculate_param_t> hands(number());
    for (auto &hand : hands) {
        hand = {};
        hand.hand_tiles.pack_count = number();
        for (int i = 0; i < hand.hand_tiles.pack_count; i++) {
            int giver = number(), kind = number(), tile = number();
            hand.hand_tiles.fixed_packs[i] = mahjong::make_pack(giver, kind, tile);
        }
        hand.hand_tiles.tile_count = number();
        for (int i = 0; i < hand.hand_tiles.tile_count; i++) hand.hand_tiles.standing_tiles[i] = number();
        hand.win_tile = number();
        hand.win_flag = number();
        hand.seat_wind = (mahjong::wind_t)number();
        hand.prevalent_wind = (mahjong::wind_t)number();
        hand.flower_count = number();
    }
    if (arguments > 1) {
        for (auto &hand : hands) printf("%llu\n", (unsigned long long)total(hand));
        return 0;
    }
    while (getchar() != '\n') {}
    uint64_t sum = 0;
    while (getchar() != EOF) {
        auto start = std::chrono::steady_clock::now();
        for (auto &hand : hands) sum += total(hand);
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        printf("%.1f\n", hands.size() / took.count());
        fflush(stdout);
    }
    return sum == 1;
}
