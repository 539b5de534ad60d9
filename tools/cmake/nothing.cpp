// A program that contains nothing but the libraries that it is linked with; see floors.cmake.
int main() {}
